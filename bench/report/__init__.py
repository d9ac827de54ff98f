"""The report of all experiments: reads bench/results/*.json and makes one HTML file that needs no network, and the pictures of the README. See docs/measuring.md."""
