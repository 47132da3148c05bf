<?php

/** Uses every method against a running server; prints what came back as one JSON object. */

declare(strict_types=1);

use Lectern\Partner\LecternException;
use Lectern\Partner\PartnerClient;
use Lectern\Partner\Webhook;
use Lectern\Partner\WebhookVerificationException;

require getenv('LECTERN_CLIENT') ?: __DIR__ . '/../autoload.php';

$client = new PartnerClient(getenv('LECTERN_URL'), getenv('LECTERN_ACCOUNT'), getenv('LECTERN_SECRET'));
$room = getenv('LECTERN_ROOM');
$receiver = getenv('LECTERN_WEBHOOK');
const FIRST = 'the-first-secret-of-the-partner';
const SECOND = 'the-second-secret-of-the-partner';

function codeOf(callable $call): string
{
    try {
        $call();
    } catch (LecternException $error) {
        return "$error->status $error->errorCode";
    }
    return 'no error';
}

/** What the receiver has been sent, as soon as it is so many deliveries. */
function received(int $count): array
{
    while (true) {
        $deliveries = json_decode(file_get_contents(getenv('LECTERN_WEBHOOK')), true, flags: JSON_THROW_ON_ERROR);
        if (count($deliveries) >= $count) {
            return $deliveries;
        }
        usleep(50_000);
    }
}

function delivered(PartnerClient $client, string $id): array
{
    while (true) {
        $delivery = $client->getDelivery($id);
        if ($delivery['status'] !== 'pending') {
            return $delivery;
        }
        usleep(50_000);
    }
}

/** The secrets with which a receiver accepts it. */
function secretsOf(array $delivery): array
{
    $headers = [];
    foreach ($delivery['headers'] as [$name, $value]) {
        $headers[$name][] = $value;
    }
    $accepted = [];
    foreach ([FIRST, SECOND] as $secret) {
        try {
            if (Webhook::verify($delivery['body'], $headers, $secret)['type'] === 'webhook.test') {
                $accepted[] = $secret;
            }
        } catch (WebhookVerificationException $error) {
            if ($error->reason !== 'signature_mismatch') {
                throw $error;
            }
        }
    }
    return $accepted;
}

$info = $client->serverInfo();
$teacher = ['display_name' => 'Anna', 'external_id' => $room];
$created = $client->createRoom($room, ['title' => 'Algebra', 'teacher' => $teacher]);
$again = $client->createRoom($room, ['title' => 'Another']);
$moved = $client->updateRoom($room, ['title' => 'Geometry']);
$status = $client->roomStatus($room);
$rooms = $client->listRooms(teacher: $room, search: 'geometry', limit: 1);
$webhook = $client->setWebhook(['url' => $receiver, 'secret' => FIRST, 'enabled' => true]);
$test = delivered($client, $client->testWebhook()['id']);
$rotating = $client->rotateWebhookSecret(['secret' => SECOND, 'overlap_seconds' => 600]);
$replayed = $client->replayDelivery($test['id']);
received(2);
$finished = $client->finishWebhookRotation();
$last = delivered($client, $client->testWebhook()['id']);
$deliveries = $client->listDeliveries('delivered', 1);
$listed = array_column($client->listDeliveries()['deliveries'], 'id');
$sent = received(3);
$off = $client->setWebhook(['enabled' => false]);
$recordings = $client->listRecordings();
$cancelled = $client->cancelRoom($room);
$closed = $client->closeRoom($room);
echo json_encode([
    'version' => $info['api']['version'],
    'title' => $created['title'],
    'again' => $again['title'],
    'links' => $created['teacher_join_url'] !== $created['student_join_url'],
    'moved' => $moved['title'],
    'same' => $client->getRoom($room)['tag'] === $created['tag'],
    'put' => [$created['created'], $again['created'], $again['differing_fields']],
    'list' => [array_column($rooms['rooms'], 'external_id'), $rooms['next']],
    'status' => [$status['status'], $status['live']],
    'webhook' => [$webhook['enabled'], $off['enabled'], $client->getWebhook()['url'] === $receiver],
    'rotation' => [$rotating['previous_secret_expires_at'] !== null, $finished['previous_secret_expires_at']],
    'test' => [$test['event'], $test['history'][0]['response_status'], $test['payload']['id'] === $test['id']],
    'replay' => [$replayed['id'] === $test['id'], $sent[1]['body'] === $sent[0]['body']],
    'deliveries' => [count($deliveries['deliveries']), $deliveries['next'] !== null, in_array($last['id'], $listed, true)],
    'secrets' => array_map(secretsOf(...), $sent),
    'deleted' => $client->deleteWebhook()['configured'],
    'recordings' => $recordings,
    'blob' => codeOf(fn () => $client->downloadBlob('no-such-blob')),
    'missing' => codeOf(fn () => $client->getRoom('no-such-room')),
    'ended' => [$cancelled['status'], $closed['status']],
], JSON_THROW_ON_ERROR), "\n";
