"""Pages of games that belong together: deals of the day, duplicate rounds, matches, series, and crisis diaries."""
