<?php

declare(strict_types=1);

namespace Lectern\Partner;

/**
 * A failed call. The message is for people; programs use `$errorCode` and `$status`.
 *
 * Codes of the server: `room_not_found`, `rate_limited`, …, or `http_<status>` for an answer without a code. Codes of the
 * client: `network_error`, `bad_answer`, `archive_unavailable`, `redirected`, `invalid_argument`.
 */
final class LecternException extends \RuntimeException
{
    public function __construct(
        public readonly string $errorCode,
        string $message,
        /** The HTTP status, or null without an answer. */
        public readonly ?int $status = null,
        /** Whether the same call may succeed later. The client has already retried. */
        public readonly bool $retryable = false,
        /** The delay in seconds that the server requested, or null. */
        public readonly ?int $retryAfter = null,
        /** Finds the request in the log of the server; null without an answer. */
        public readonly ?string $requestId = null,
    ) {
        parent::__construct($message);
    }

    /** An argument that the server would refuse; reported without a request. */
    public static function invalidArgument(string $message): self
    {
        return new self('invalid_argument', $message);
    }
}
