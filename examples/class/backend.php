<?php

/**
 * A school's backend: lessons for a class, each person with a link of their own, the video of the lesson, and all events.
 *
 *   composer config repositories.lectern composer https://YOUR-SERVER/clients
 *   composer require lectern/partner
 *   export LECTERN_URL=… LECTERN_ACCOUNT=… LECTERN_SECRET=… EVENTS_SECRET=…
 *   php backend.php && php -S 127.0.0.1:4001 backend.php
 *
 * EVENTS_SECRET has 16 characters or more and signs the events. PORT is that of this program, JOURNAL its file. The first
 * command, to be run at each start and now and then, adds the endpoint and reads what was missed.
 */

declare(strict_types=1);

use Lectern\Partner\PartnerClient;
use Lectern\Partner\Webhook;
use Lectern\Partner\WebhookVerificationException;

require 'vendor/autoload.php';

/** Events on the disk, each once, and the position up to which all of them are there. */
final class Journal
{
    /** @var array<string, array<string, mixed>> */
    public array $events = [];
    public int $last = 0;
    /** @var resource */
    private $file;

    public function __construct(string $path)
    {
        $this->file = fopen($path, 'a+');
        flock($this->file, LOCK_EX); // of one request at a time, until it ends
        while (($line = fgets($this->file)) !== false) {
            $this->apply(json_decode($line, true) ?? []); // null: empty, or cut off by a crash
        }
    }

    /** @param array<string, mixed> $entry */
    public function store(array $entry): void
    {
        if (isset($entry['event'], $this->events[$entry['event']['id']])) {
            return;
        }
        fwrite($this->file, "\n" . json_encode($entry));
        fsync($this->file);
        $this->apply($entry);
    }

    /** @param array<string, mixed> $entry */
    private function apply(array $entry): void
    {
        if (isset($entry['event'])) {
            $this->events[$entry['event']['id']] = $entry['event'];
        }
        $this->last = $entry['last'] ?? $this->last;
    }
}

$client = new PartnerClient(getenv('LECTERN_URL'), getenv('LECTERN_ACCOUNT'), getenv('LECTERN_SECRET'));
$lectern = $client->v2;
$secret = getenv('EVENTS_SECRET');
$path = getenv('JOURNAL') ?: 'journal.jsonl';

if (PHP_SAPI === 'cli') {
    $url = 'http://127.0.0.1:' . (getenv('PORT') ?: '4001') . '/events';
    $known = array_column($lectern->listEndpoints()['endpoints'], null, 'url')[$url] ?? null;
    if ($known === null) {
        $lectern->addEndpoint(['url' => $url, 'secret' => $secret]);
    } elseif (!$known['enabled']) {
        $lectern->updateEndpoint($known['id'], ['enabled' => true]); // it was away for five days
    }
    $journal = new Journal($path);
    $missed = $lectern->events(after: $journal->last);
    foreach ($missed as $event) {
        $journal->store(['event' => $event]);
    }
    $journal->store(['last' => $missed->last]);
    exit;
}

$create = function (string $lesson, array $body) use ($lectern): array {
    $recording = ['mode' => 'automatic', 'format' => 'mp4'];
    $metadata = ['lesson' => $lesson]; // comes back in every event
    $settings = ['title' => $body['title'], 'lobby' => true, 'recording' => $recording, 'metadata' => $metadata];
    $lectern->putRoom($lesson, $settings);
    $links = [];
    foreach ($body['people'] as $person) {
        $who = ['display_name' => $person['name'], 'role' => $person['role'], 'metadata' => $metadata];
        $links[$person['id']] = $lectern->putPerson($lesson, $person['id'], $who)['join_url'];
    }
    return ['tag' => $lectern->getRoom($lesson)['tag'], 'links' => $links];
};

$video = function (string $lesson) use ($lectern): array {
    $recordings = $lectern->listRecordings(room: $lesson)['recordings'];
    if ($recordings === []) {
        return ['url' => null];
    }
    return $lectern->createRecordingLink($recordings[0]['id'], ['path' => 'recording.mp4', 'expires_in' => 600]);
};

$events = function (string $lesson) use ($path): array {
    $all = (new Journal($path))->events;
    $own = array_filter($all, fn (array $event): bool => $event['room']['external_id'] === $lesson);
    usort($own, fn (array $a, array $b): int => $a['sequence'] <=> $b['sequence']);
    return ['events' => $own];
};

$receive = function (string $body) use ($path, $secret): void {
    $event = Webhook::verifyStandard($body, getallheaders(), $secret);
    if ($event['type'] !== 'webhook.test') {
        (new Journal($path))->store(['event' => $event]);
    }
};

$actions = ['create' => $create, 'video' => $video, 'events' => $events];
$actions['delete'] = fn (string $lesson): array => $lectern->deleteRoom($lesson);

[, $action, $lesson] = explode('/', $_SERVER['REQUEST_URI']) + ['', '', ''];
$body = file_get_contents('php://input');
header('Content-Type: application/json');
try {
    if ($action === 'events' && $lesson === '') {
        $receive($body);
        echo '{}';
    } elseif ($_SERVER['REQUEST_METHOD'] === 'POST' && isset($actions[$action]) && $lesson !== '') {
        echo json_encode($actions[$action](urldecode($lesson), json_decode($body ?: '{}', true)));
    } else {
        http_response_code(404);
    }
} catch (WebhookVerificationException $error) {
    http_response_code(400);
    echo json_encode(['error' => $error->getMessage()]);
} catch (Throwable $error) {
    http_response_code(502);
    echo json_encode(['error' => $error->getMessage()]);
}
