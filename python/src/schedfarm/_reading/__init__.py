"""Result files as they are stored: opened without harm, in the words of schema 2, with the hashes that prove them."""
