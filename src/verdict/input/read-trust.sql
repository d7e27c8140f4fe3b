select t.source_kind, t.source, t.scope, t.level
from governance_input_trust t
