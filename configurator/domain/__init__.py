"""The words of the contract as frozen models. This room knows no other room."""
