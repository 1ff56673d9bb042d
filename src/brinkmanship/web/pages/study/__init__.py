"""Pages to study games: replay, analysis, boards, puzzles, lessons, workshop."""
