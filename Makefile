# `make play` and `make test` do all their own set-up.
