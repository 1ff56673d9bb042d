"""Encoding of the fields of a record as columns: the names of `brinkmanship.columns`, where games import them."""

from brinkmanship.columns import NUMBER, Code, ColumnKind, FieldPart, bits, codes_of, one_of, side

__all__ = ["NUMBER", "Code", "ColumnKind", "FieldPart", "bits", "codes_of", "one_of", "side"]
