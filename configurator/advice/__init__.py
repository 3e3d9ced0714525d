"""From a case to the whole answer: assumptions, estimate, findings."""
