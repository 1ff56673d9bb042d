"""Encoding of the fields of a record as columns: the names of `brinkmanship.columns`, where games import them."""

from brinkmanship.columns import NUMBER, Code, Kind, Part, bits, codes_of, one_of, side

__all__ = ["NUMBER", "Code", "Kind", "Part", "bits", "codes_of", "one_of", "side"]
