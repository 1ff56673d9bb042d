"""How good each answer looks in Ukrainian Crisis, by formulas alone: nothing is tried out.

`weigh` judges every legal action from a view. What it counts with are the weights of the side (`weights`), a survey of
the map made once for each decision, and exact chances of dice. Values are Victory Points, or at cards and orders a
scale of their own. `rules` explains these judgements, and the fast policy is the best of them.
"""
