"""Signatures and encryption of SOAP messages (SOAP-80 to SOAP-90), without a transport."""
