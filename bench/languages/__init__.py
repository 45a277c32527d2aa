"""Messages in many languages, and questions that ask for them in other forms of their words."""
