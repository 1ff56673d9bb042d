"""Study pages: replay, analysis, boards, puzzles, lessons, workshop."""
