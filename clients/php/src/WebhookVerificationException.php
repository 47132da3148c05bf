<?php

declare(strict_types=1);

namespace Lectern\Partner;

/**
 * An invalid delivery. Answer 4xx: a retry cannot succeed.
 *
 * `$reason` is one of `header_missing`, `header_repeated`, `timestamp_malformed`, `timestamp_out_of_tolerance`,
 * `signature_malformed`, `signature_mismatch`, `body_malformed`, `id_mismatch`, `type_mismatch`.
 */
final class WebhookVerificationException extends \RuntimeException
{
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}
