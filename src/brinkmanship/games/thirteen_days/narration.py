def names_of(data, kind, id): return None
