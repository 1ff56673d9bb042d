"""What all pages share: templates, forms, pictures, results."""
