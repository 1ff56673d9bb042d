"""Common parts of all pages: templates, forms, pictures, results."""
