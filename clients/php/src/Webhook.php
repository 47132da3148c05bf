<?php

declare(strict_types=1);

namespace Lectern\Partner;

/** Verification of webhooks (docs/webhooks.md). */
final class Webhook
{
    /** More signatures than any rotation needs are malformed. */
    private const SIGNATURES_MAX = 5;

    /**
     * Verifies a delivery and returns its event (rule SIGNATURE-1).
     *
     * Store the event before you answer 2xx, and drop events whose `id` you already have. Ignore unknown fields and
     * values: events are extended without a new version (rule EVENT-1).
     *
     * @param string $rawBody the unmodified body, `file_get_contents('php://input')`; it is not parsed before its signature
     *   is verified
     * @param array<string, string|list<string>> $headers such as `getallheaders()`; names in any case
     * @param string|list<string> $secret the secret of the webhook; during a rotation those that may have signed
     * @param int|null $now Unix seconds
     * @return array<string, mixed>
     * @throws WebhookVerificationException if the delivery is not genuine
     */
    public static function verify(
        string $rawBody,
        array $headers,
        #[\SensitiveParameter] string|array $secret,
        ?int $now = null,
        int $toleranceSeconds = 300,
    ): array {
        $secrets = self::secrets($secret);
        $timestamp = self::header($headers, 'x-service-timestamp');
        self::ensureRecent($timestamp, $now ?? time(), $toleranceSeconds);
        self::ensureSigned(self::signatures($headers), "$timestamp.$rawBody", $secrets);

        $event = self::parseEvent($rawBody);
        if (self::header($headers, 'x-service-delivery') !== $event['id']) {
            throw new WebhookVerificationException('id_mismatch', 'X-Service-Delivery is not the id of the body.');
        }
        if (self::header($headers, 'x-service-event') !== $event['type']) {
            throw new WebhookVerificationException('type_mismatch', 'X-Service-Event is not the type of the body.');
        }
        return $event;
    }

    /**
     * Verifies a delivery to an endpoint of version 2 by its headers of Standard Webhooks (https://www.standardwebhooks.com), whose
     * signature covers the id, too. The arguments are those of `verify`.
     *
     * @param array<string, string|list<string>> $headers
     * @param string|list<string> $secret
     * @return array<string, mixed>
     * @throws WebhookVerificationException if the delivery is not genuine
     */
    public static function verifyStandard(
        string $rawBody,
        array $headers,
        #[\SensitiveParameter] string|array $secret,
        ?int $now = null,
        int $toleranceSeconds = 300,
    ): array {
        $secrets = self::secrets($secret);
        $id = self::header($headers, 'webhook-id');
        $timestamp = self::header($headers, 'webhook-timestamp');
        self::ensureRecent($timestamp, $now ?? time(), $toleranceSeconds);
        $signatures = self::standardSignatures(self::header($headers, 'webhook-signature'));
        $expected = array_map(
            fn ($each) => base64_encode(hash_hmac('sha256', "$id.$timestamp.$rawBody", self::key($each), true)),
            $secrets,
        );
        self::ensureMatch($expected, $signatures);
        $event = self::parseEvent($rawBody);
        if ($event['id'] !== $id) {
            throw new WebhookVerificationException('id_mismatch', 'webhook-id is not the id of the body.');
        }
        return $event;
    }

    /**
     * @param string|list<string> $secret
     * @return list<string>
     */
    private static function secrets(#[\SensitiveParameter] string|array $secret): array
    {
        $secrets = is_array($secret) ? $secret : [$secret];
        if ($secrets === [] || in_array('', $secrets, true)) {
            throw new \InvalidArgumentException('The verification requires the secret of the webhook.');
        }
        return $secrets;
    }

    /**
     * The symmetric signatures; those of other versions are ignored.
     *
     * @return list<string>
     */
    private static function standardSignatures(string $header): array
    {
        $all = explode(' ', $header);
        $given = array_filter($all, fn ($each) => str_starts_with($each, 'v1,'));
        $signatures = array_values(array_map(fn ($each) => substr($each, 3), $given));
        $malformed = preg_grep('#^[A-Za-z0-9+/]{43}=\z#', $signatures, PREG_GREP_INVERT);
        if ($signatures === [] || count($all) > self::SIGNATURES_MAX || $malformed !== []) {
            throw new WebhookVerificationException('signature_malformed', 'A signature is not v1,<base64>.');
        }
        return $signatures;
    }

    /** A secret with a prefix is in base64; others are their own bytes. */
    private static function key(#[\SensitiveParameter] string $secret): string
    {
        return str_starts_with($secret, 'whsec_') ? (string) base64_decode(substr($secret, 6)) : $secret;
    }

    private static function ensureRecent(string $timestamp, int $now, int $toleranceSeconds): void
    {
        if (preg_match('/^[0-9]{1,15}\z/', $timestamp) !== 1) {
            $message = 'The timestamp is not in Unix seconds.';
            throw new WebhookVerificationException('timestamp_malformed', $message);
        }
        $age = abs($now - (int) $timestamp);
        if ($age > $toleranceSeconds) {
            $message = "The timestamp differs from the current time by $age s.";
            throw new WebhookVerificationException('timestamp_out_of_tolerance', $message);
        }
    }

    /**
     * While a secret is being replaced, a second header has the signatures under both (rule SIGNATURE-4).
     *
     * @param array<string, string|list<string>> $headers
     * @return list<string>
     */
    private static function signatures(array $headers): array
    {
        return self::values($headers, 'x-service-signatures') === []
            ? [self::header($headers, 'x-service-signature')]
            : explode(', ', self::header($headers, 'x-service-signatures'));
    }

    /**
     * One of the signatures under one of the secrets suffices.
     *
     * @param list<string> $signatures
     * @param list<string> $secrets
     */
    private static function ensureSigned(array $signatures, string $signed, array $secrets): void
    {
        $malformed = preg_grep('/^sha256=[0-9a-f]{64}\z/', $signatures, PREG_GREP_INVERT);
        if (count($signatures) > self::SIGNATURES_MAX || $malformed !== []) {
            throw new WebhookVerificationException('signature_malformed', 'A signature is not sha256=<hex>.');
        }
        $expected = array_map(fn ($secret) => 'sha256=' . hash_hmac('sha256', $signed, $secret), $secrets);
        self::ensureMatch($expected, $signatures);
    }

    /**
     * One of the signatures suffices.
     *
     * @param list<string> $expected
     * @param list<string> $signatures
     */
    private static function ensureMatch(array $expected, array $signatures): void
    {
        $isGenuine = false;
        foreach ($expected as $one) {
            foreach ($signatures as $signature) {
                $isGenuine = hash_equals($one, $signature) || $isGenuine; // compares all of them
            }
        }
        if (!$isGenuine) {
            throw new WebhookVerificationException('signature_mismatch', 'The signature does not match the body.');
        }
    }

    /** @return array<string, mixed> */
    private static function parseEvent(string $body): array
    {
        $event = json_decode($body);
        $isEvent = $event instanceof \stdClass
            && is_string($event->id ?? null)
            && is_string($event->type ?? null)
            && (is_object($event->data ?? null) || is_array($event->data ?? null));
        if (!$isEvent) {
            throw new WebhookVerificationException('body_malformed', 'The body is not a webhook event.');
        }
        return json_decode($body, true);
    }

    /**
     * The values of a header; its name is case-insensitive.
     *
     * @param array<string, string|list<string>> $headers
     * @return list<string>
     */
    private static function values(array $headers, string $name): array
    {
        $values = [];
        foreach ($headers as $key => $value) {
            if (strtolower((string) $key) === $name) {
                array_push($values, ...(array) $value);
            }
        }
        return $values;
    }

    /**
     * The only value of a header.
     *
     * @param array<string, string|list<string>> $headers
     */
    private static function header(array $headers, string $name): string
    {
        $values = self::values($headers, $name);
        if ($values === []) {
            throw new WebhookVerificationException('header_missing', "There is no $name header.");
        }
        if (count($values) > 1) {
            throw new WebhookVerificationException('header_repeated', "The $name header came more than once.");
        }
        return $values[0];
    }
}
