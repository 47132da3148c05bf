<?php

declare(strict_types=1);

namespace Lectern\Partner;

/**
 * Version 2 of the partner API: people, live control, endpoints, events and recordings (`$client->v2`).
 *
 * Lists are ascending, and some descending with `order: 'desc'`: pass `next` of a page as `after`. `$idempotencyKey` lets you repeat an action within 24 h: it gets the first
 * answer. By default each call has a new one, which its retries share.
 */
final class PartnerV2 extends RoomsV2
{
    /** A page of the events of the last 30 days. @return array<string, mixed> */
    public function listEvents(
        ?int $after = null,
        ?int $limit = null,
        ?string $type = null,
        ?string $room = null,
        ?string $order = null,
    ): array {
        return $this->get(['events'], compact('type', 'room', 'order', 'after', 'limit'));
    }

    /** All events after a position, of as many pages as there are. */
    public function events(int $after = 0, ?int $limit = null, ?string $type = null, ?string $room = null): EventPages
    {
        return new EventPages($after, fn (int $position) => $this->listEvents($position, $limit, $type, $room));
    }

    /** @return array<string, mixed> */
    public function addEndpoint(#[\SensitiveParameter] array $endpoint, ?string $idempotencyKey = null): array
    {
        return $this->post(['endpoints'], $endpoint, $idempotencyKey);
    }

    /** @return array<string, mixed> */
    public function listEndpoints(): array
    {
        return $this->get(['endpoints']);
    }

    /** @return array<string, mixed> */
    public function getEndpoint(string $endpoint): array
    {
        return $this->get(['endpoints', $endpoint]);
    }

    /** @return array<string, mixed> */
    public function updateEndpoint(string $endpoint, array $changes): array
    {
        return $this->send('PATCH', ['endpoints', $endpoint], $changes);
    }

    /** @return array<string, mixed> */
    public function deleteEndpoint(string $endpoint): array
    {
        return $this->send('DELETE', ['endpoints', $endpoint]);
    }

    /** Sends an event of the type `webhook.test`, which is in no list. @return array<string, mixed> */
    public function testEndpoint(string $endpoint, ?string $idempotencyKey = null): array
    {
        return $this->post(['endpoints', $endpoint, 'test'], null, $idempotencyKey);
    }

    /** `$rotation` may have a `secret` and `overlap_seconds`. @return array<string, mixed> */
    public function rotateEndpointSecret(
        string $endpoint,
        #[\SensitiveParameter] array $rotation = [],
        ?string $idempotencyKey = null,
    ): array {
        return $this->post(['endpoints', $endpoint, 'rotate'], $rotation, $idempotencyKey);
    }

    /** @return array<string, mixed> */
    public function listEndpointDeliveries(
        string $endpoint,
        ?string $status = null,
        ?int $after = null,
        ?int $limit = null,
        ?string $order = null,
    ): array {
        return $this->get(['endpoints', $endpoint, 'deliveries'], compact('status', 'order', 'after', 'limit'));
    }

    /** @return array<string, mixed> */
    public function getEndpointDelivery(string $endpoint, string $delivery): array
    {
        return $this->get(['endpoints', $endpoint, 'deliveries', $delivery]);
    }

    /** @return array<string, mixed> */
    public function replayEndpointDelivery(string $endpoint, string $delivery, ?string $idempotencyKey = null): array
    {
        return $this->post(['endpoints', $endpoint, 'deliveries', $delivery, 'replay'], null, $idempotencyKey);
    }

    /** Sends again all that failed since the time `since`. @return array<string, mixed> */
    public function replayFailedDeliveries(string $endpoint, array $replay, ?string $idempotencyKey = null): array
    {
        return $this->post(['endpoints', $endpoint, 'replay'], $replay, $idempotencyKey);
    }

    // --- Recordings and transcripts

    /** @return array<string, mixed> */
    public function listRecordings(?string $room = null, ?int $after = null, ?int $limit = null): array
    {
        return $this->get(['recordings'], compact('room', 'after', 'limit'));
    }

    /** @return array<string, mixed> */
    public function getRecording(string $recording): array
    {
        return $this->get(['recordings', $recording]);
    }

    /** @return array<string, mixed> */
    public function deleteRecording(string $recording): array
    {
        return $this->send('DELETE', ['recordings', $recording]);
    }

    /** A link to the file `path` for people without a token, for `expires_in` seconds. @return array<string, mixed> */
    public function createRecordingLink(string $recording, array $link, ?string $idempotencyKey = null): array
    {
        return $this->post(['recordings', $recording, 'links'], $link, $idempotencyKey);
    }

    /** @return array<string, mixed> */
    public function revokeRecordingLink(string $recording, string $link): array
    {
        return $this->send('DELETE', ['recordings', $recording, 'links', $link]);
    }

    /** @return array<string, mixed> */
    public function listTranscripts(string $room, ?int $after = null, ?int $limit = null): array
    {
        return $this->get(['transcripts'], compact('room', 'after', 'limit'));
    }

    /** @return array<string, mixed> */
    public function getTranscript(string $transcript): array
    {
        return $this->get(['transcripts', $transcript]);
    }

    public function getTranscriptAsWebVtt(string $transcript): string
    {
        return $this->text(['transcripts', $transcript, 'vtt']);
    }

    public function getTranscriptAsText(string $transcript): string
    {
        return $this->text(['transcripts', $transcript, 'txt']);
    }

    /** Of a month such as `2030-09`. @return array<string, mixed> */
    public function getUsage(string $month): array
    {
        return $this->get(['usage'], compact('month'));
    }
}
