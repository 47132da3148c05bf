<?php

declare(strict_types=1);

namespace Lectern\Partner;

/** Rooms of version 2, their people, and their live sessions: the methods of `$client->v2`. */
abstract class RoomsV2
{
    public function __construct(private readonly Address $address, private readonly Session $session)
    {
    }

    /** Creates the room, or gives an existing one the settings of the request. @return array<string, mixed> */
    public function putRoom(string $room, array $settings = []): array
    {
        return $this->send('PUT', ['rooms', $room], $settings);
    }

    /** @return array<string, mixed> */
    public function getRoom(string $room): array
    {
        return $this->get(['rooms', $room]);
    }

    /** @return array<string, mixed> */
    public function listRooms(
        ?int $after = null,
        ?int $limit = null,
        ?string $search = null,
        ?string $status = null,
        ?string $order = null,
    ): array {
        return $this->get(['rooms'], compact('search', 'status', 'order', 'after', 'limit'));
    }

    /** Omitted fields stay unchanged. @return array<string, mixed> */
    public function updateRoom(string $room, array $changes): array
    {
        return $this->send('PATCH', ['rooms', $room], $changes);
    }

    /** Ends its session, revokes its links, and deletes recordings and chat; `room.deleted` follows. @return array<string, mixed> */
    public function deleteRoom(string $room): array
    {
        return $this->send('DELETE', ['rooms', $room]);
    }

    /** Puts a PDF or an image, by its bytes, on the board of the room. @return array<string, mixed> */
    public function putSlides(string $room, string $document, ?string $name = null): array
    {
        $url = Address::withQuery($this->address->v2(['rooms', $room, 'slides']), compact('name'));
        return $this->session->json('PUT', $url, $document);
    }

    /** `slides` is null if none were put. @return array<string, mixed> */
    public function getSlides(string $room): array
    {
        return $this->get(['rooms', $room, 'slides']);
    }

    // --- People

    /** Adds the person, or changes what the request has. @return array<string, mixed> */
    public function putPerson(string $room, string $person, array $settings = []): array
    {
        return $this->send('PUT', ['rooms', $room, 'people', $person], $settings);
    }

    /** @return array<string, mixed> */
    public function getPerson(string $room, string $person): array
    {
        return $this->get(['rooms', $room, 'people', $person]);
    }

    /** @return array<string, mixed> */
    public function listPeople(string $room, ?int $after = null, ?int $limit = null): array
    {
        return $this->get(['rooms', $room, 'people'], compact('after', 'limit'));
    }

    /** @return array<string, mixed> */
    public function deletePerson(string $room, string $person): array
    {
        return $this->send('DELETE', ['rooms', $room, 'people', $person]);
    }

    /** Replaces the personal link. @return array<string, mixed> */
    public function rotatePersonLink(string $room, string $person, ?string $idempotencyKey = null): array
    {
        return $this->post(['rooms', $room, 'people', $person, 'rotate'], null, $idempotencyKey);
    }

    // --- Live sessions

    /** @return array<string, mixed> */
    public function listParticipants(string $room): array
    {
        return $this->get(['rooms', $room, 'participants']);
    }

    /** `$what` may have the `source`: audio (default), video or screen. @return array<string, mixed> */
    public function muteParticipant(
        string $room,
        string $participant,
        array $what = [],
        ?string $idempotencyKey = null,
    ): array {
        return $this->post(['rooms', $room, 'participants', $participant, 'mute'], $what, $idempotencyKey);
    }

    /** @return array<string, mixed> */
    public function removeParticipant(string $room, string $participant, ?string $idempotencyKey = null): array
    {
        return $this->post(['rooms', $room, 'participants', $participant, 'remove'], null, $idempotencyKey);
    }

    /** @return array<string, mixed> */
    public function startRecording(string $room, ?string $idempotencyKey = null): array
    {
        return $this->post(['rooms', $room, 'recording', 'start'], null, $idempotencyKey);
    }

    /** @return array<string, mixed> */
    public function stopRecording(string $room, ?string $idempotencyKey = null): array
    {
        return $this->post(['rooms', $room, 'recording', 'stop'], null, $idempotencyKey);
    }

    /** `$message` has the `text`, and may have a `display_name` of the sender. @return array<string, mixed> */
    public function sendMessage(string $room, array $message, ?string $idempotencyKey = null): array
    {
        return $this->post(['rooms', $room, 'messages'], $message, $idempotencyKey);
    }

    /** @return array<string, mixed> */
    public function endSession(string $room, ?string $idempotencyKey = null): array
    {
        return $this->post(['rooms', $room, 'end'], null, $idempotencyKey);
    }

    /**
     * @param list<string> $parts
     * @param array<string, string|int|null> $query
     * @return array<string, mixed>
     */
    protected function get(array $parts, array $query = []): array
    {
        return $this->session->json('GET', Address::withQuery($this->address->v2($parts), $query));
    }

    /**
     * @param list<string> $parts
     * @param array<string, mixed>|null $body
     * @return array<string, mixed>
     */
    protected function send(string $method, array $parts, ?array $body = null): array
    {
        return $this->session->json($method, $this->address->v2($parts), $body);
    }

    /**
     * The key makes retries safe: a message is sent once.
     *
     * @param list<string> $parts
     * @param array<string, mixed>|null $body
     * @return array<string, mixed>
     */
    protected function post(array $parts, ?array $body, ?string $idempotencyKey): array
    {
        $headers = ['Idempotency-Key' => $idempotencyKey ?? bin2hex(random_bytes(16))];
        return $this->session->json('POST', $this->address->v2($parts), $body, $headers);
    }

    /** @param list<string> $parts */
    protected function text(array $parts): string
    {
        return $this->session->text($this->address->v2($parts), ['Accept' => 'text/*']);
    }
}
