"""Language models: the protocol, the OpenAI-compatible client, the keyless teaching model.

Start with `protocol`. Only this package knows the SDK.
"""
