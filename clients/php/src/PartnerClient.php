<?php

declare(strict_types=1);

namespace Lectern\Partner;

/**
 * Rooms, webhooks and recordings of one service account (docs/partner-api.md).
 *
 * All methods are idempotent, retry temporary failures, and throw a LecternException. Create one client and reuse it: it
 * signs in by itself, and renews its token before it expires.
 */
final class PartnerClient
{
    /** The default delays between attempts, in seconds. */
    public const RETRY_DELAYS = [1, 3, 10];

    /** Version 2 of the API, on the same rooms. */
    public readonly PartnerV2 $v2;
    private readonly Address $address;
    private readonly Session $session;

    /** @param list<int|float> $retryDelays */
    public function __construct(
        string $baseUrl,
        private readonly string $serviceAccount,
        #[\SensitiveParameter] string $clientSecret,
        array $retryDelays = self::RETRY_DELAYS,
        float $timeoutSeconds = 15,
    ) {
        if ($serviceAccount === '' || $clientSecret === '') {
            throw LecternException::invalidArgument('serviceAccount and clientSecret are required.');
        }
        $this->address = new Address($baseUrl);
        $this->session = new Session(
            $this->address,
            $serviceAccount,
            $clientSecret,
            $retryDelays,
            $timeoutSeconds,
        );
        $this->v2 = new PartnerV2($this->address, $this->session);
    }

    /** @return array<string, mixed> */
    public function serverInfo(): array
    {
        return $this->session->json('GET', $this->address->of('/api/v1/integration/server_info'));
    }

    /**
     * Creates the room, or returns the existing one unchanged; `updateRoom` changes it. `created` of the answer says which;
     * `differing_fields` are those of `$room` that differ from an existing one.
     *
     * @param array<string, mixed> $room
     * @return array<string, mixed>
     */
    public function createRoom(string $externalId, array $room = []): array
    {
        return $this->session->json('PUT', $this->address->room($externalId), $room);
    }

    /**
     * A page of your rooms, newest first: `rooms`, and `next` to pass as `before`, or null at the end.
     *
     * @param string|null $teacher your id of the person, like `$student`
     * @param string|null $search part of the title, the external_id or the tag
     * @return array<string, mixed>
     */
    public function listRooms(
        ?string $status = null,
        ?string $teacher = null,
        ?string $student = null,
        ?string $search = null,
        ?int $limit = null,
        ?string $before = null,
    ): array {
        $query = compact('status', 'teacher', 'student', 'search', 'limit', 'before');
        return $this->session->json('GET', Address::withQuery($this->address->of('/api/v1/integration/rooms'), $query));
    }

    /** @return array<string, mixed> */
    public function getRoom(string $externalId): array
    {
        return $this->session->json('GET', $this->address->room($externalId));
    }

    /**
     * Omitted fields stay unchanged. Use the links of the answer: one may have been rotated (rule HOSTED-4).
     *
     * @param array<string, mixed> $changes
     * @return array<string, mixed>
     */
    public function updateRoom(string $externalId, array $changes): array
    {
        return $this->session->json('PATCH', $this->address->room($externalId), $changes);
    }

    /** @return array<string, mixed> */
    public function cancelRoom(string $externalId): array
    {
        return $this->session->json('POST', $this->address->room($externalId, 'cancel'));
    }

    /**
     * Puts a PDF or an image on the board of the room, before the lesson or during it.
     *
     * @param string $document its bytes
     * @param string|null $name for people
     * @return array<string, mixed>
     */
    public function putSlides(string $externalId, string $document, ?string $name = null): array
    {
        $url = Address::withQuery($this->address->room($externalId, 'slides'), compact('name'));
        return $this->session->json('PUT', $url, $document);
    }

    /** `slides` is null if none were put. @return array<string, mixed> */
    public function getSlides(string $externalId): array
    {
        return $this->session->json('GET', $this->address->room($externalId, 'slides'));
    }

    /** Also ends a live session. @return array<string, mixed> */
    public function closeRoom(string $externalId): array
    {
        return $this->session->json('POST', $this->address->room($externalId, 'close'));
    }

    /** @return array<string, mixed> */
    public function roomStatus(string $externalId): array
    {
        return $this->session->json('GET', $this->address->room($externalId, 'status'));
    }

    /**
     * Requires `url` and `secret` the first time; later, omitted fields stay unchanged.
     *
     * @param array<string, mixed> $webhook
     * @return array<string, mixed>
     */
    public function setWebhook(#[\SensitiveParameter] array $webhook): array
    {
        return $this->session->json('PUT', $this->address->webhook(), $webhook);
    }

    /** @return array<string, mixed> */
    public function getWebhook(): array
    {
        return $this->session->json('GET', $this->address->webhook());
    }

    /** Removes the webhook and cancels its pending deliveries. @return array<string, mixed> */
    public function deleteWebhook(): array
    {
        return $this->session->json('DELETE', $this->address->webhook());
    }

    /** Sends an event of the type `webhook.test`; returns the delivery. @return array<string, mixed> */
    public function testWebhook(): array
    {
        return $this->session->json('POST', $this->address->webhook('test'));
    }

    /**
     * Replaces the secret; deliveries have signatures of both for `overlap_seconds` (rule SECRET-1).
     *
     * @param array{secret: string, overlap_seconds?: int} $rotation
     * @return array<string, mixed>
     */
    public function rotateWebhookSecret(#[\SensitiveParameter] array $rotation): array
    {
        return $this->session->json('POST', $this->address->webhook('rotate'), $rotation);
    }

    /** Ends the overlap: the previous secret is not used any more. @return array<string, mixed> */
    public function finishWebhookRotation(): array
    {
        return $this->session->json('POST', $this->address->webhook('rotate', 'finish'));
    }

    /**
     * A page of what was sent to the webhook, newest first: `deliveries` and `next`.
     *
     * @return array<string, mixed>
     */
    public function listDeliveries(?string $status = null, ?int $limit = null, ?string $before = null): array
    {
        $query = compact('status', 'limit', 'before');
        return $this->session->json('GET', Address::withQuery($this->address->webhook('deliveries'), $query));
    }

    /** A delivery with its attempts, the answers to them, and the event itself. @return array<string, mixed> */
    public function getDelivery(string $id): array
    {
        return $this->session->json('GET', $this->address->webhook('deliveries', $id));
    }

    /** Sends it again with the same id and content. @return array<string, mixed> */
    public function replayDelivery(string $id): array
    {
        return $this->session->json('POST', $this->address->webhook('deliveries', $id, 'replay'));
    }

    /**
     * The archive, newest first, at most 500 records. Needs the capability `recordings.access` (rule ARCHIVE-1).
     *
     * @return list<array<string, mixed>>
     */
    public function listRecordings(): array
    {
        $url = $this->address->of('/api/v1.0/recordings');
        return $this->session->json('GET', $url, check: self::ensureIndexed(...))['recordings'];
    }

    /**
     * Downloads a stored file; returns the stream of its content, which the caller closes.
     *
     * Accepts a `blob_id` or a `url` of a record; URLs of another origin are fetched without the token. `$range` is one
     * range as in HTTP, such as `bytes=1024-`.
     *
     * @return resource
     */
    public function downloadBlob(string $urlOrId, ?string $range = null)
    {
        $headers = ['Accept' => '*/*'];
        if ($range !== null) {
            if (preg_match('/^bytes=\d*-\d*\z/', $range) !== 1) {
                throw LecternException::invalidArgument('The range is not like bytes=0-1023.');
            }
            $headers['Range'] = $range;
        }
        return $this->session->stream($this->address->blob($urlOrId), $headers);
    }

    /** Discards the token: the next call gets one with the scopes of now (rule TOKEN-3). */
    public function forgetToken(): void
    {
        $this->session->forgetToken();
    }

    /** Secrets stay out of dumps. @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return ['serviceAccount' => $this->serviceAccount];
    }

    /**
     * The archive may fail with HTTP 200 and `ok: false` (rule ARCHIVE-3).
     *
     * @param array<string, mixed> $content
     */
    private static function ensureIndexed(array $content): void
    {
        if (($content['ok'] ?? null) === true) {
            return;
        }
        $message = (string) ($content['error'] ?? 'The archive cannot be read right now.');
        throw new LecternException('archive_unavailable', $message, 200, true);
    }
}
