"""Evaluation of each legal action of Ukrainian Crisis by formulas alone: nothing is simulated.

`weigh` judges every legal action from a view. It uses the weights of the side (`weights`), a survey of the map made
once for each decision, and exact chances of dice. Values are Victory Points or, for cards and orders, on a scale of
their own. `rules` explains these judgements, and the fast policy takes the best of them.
"""
