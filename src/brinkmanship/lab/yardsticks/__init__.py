"""Players that other players are measured against, and nobody is offered at a table: they are of another kind, so that
what beats them has not learned to beat its own likeness. A kit names them (`Kit.yardsticks`)."""
