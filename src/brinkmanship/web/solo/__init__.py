"""Crisis diaries: six games of one user against rising levels, along the days of a crisis."""
