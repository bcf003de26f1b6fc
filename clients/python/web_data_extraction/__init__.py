"""The client of the web data extraction API. The fields of requests and results have the names of the API reference."""

from ._client import AsyncBatch, AsyncClient, AsyncJobs, Batch, Client, Jobs
from ._errors import ExtractionError
from ._webhooks import WebhookSignatureError, verify_webhook

__all__ = [
    "AsyncBatch",
    "AsyncClient",
    "AsyncJobs",
    "Batch",
    "Client",
    "ExtractionError",
    "Jobs",
    "WebhookSignatureError",
    "verify_webhook",
]
