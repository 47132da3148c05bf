<?php

/** Uses every method against a running server; prints what came back as one JSON object. */

declare(strict_types=1);

use Lectern\Partner\LecternException;
use Lectern\Partner\PartnerClient;

require __DIR__ . '/../autoload.php';

$client = new PartnerClient(getenv('LECTERN_URL'), getenv('LECTERN_ACCOUNT'), getenv('LECTERN_SECRET'));
$room = getenv('LECTERN_ROOM');

function codeOf(callable $call): string
{
    try {
        $call();
    } catch (LecternException $error) {
        return "$error->status $error->errorCode";
    }
    return 'no error';
}

$info = $client->serverInfo();
$created = $client->createRoom($room, ['title' => 'Algebra', 'teacher' => ['display_name' => 'Anna']]);
$again = $client->createRoom($room, ['title' => 'Another']);
$moved = $client->updateRoom($room, ['title' => 'Geometry']);
$status = $client->roomStatus($room);
$target = ['url' => getenv('LECTERN_WEBHOOK'), 'secret' => 'a-secret-of-the-partner'];
$webhook = $client->setWebhook($target + ['enabled' => true]);
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
    'status' => [$status['status'], $status['live']],
    'webhook' => [$webhook['enabled'], $off['enabled'], $client->getWebhook()['url']],
    'recordings' => $recordings,
    'blob' => codeOf(fn () => $client->downloadBlob('no-such-blob')),
    'missing' => codeOf(fn () => $client->getRoom('no-such-room')),
    'ended' => [$cancelled['status'], $closed['status']],
], JSON_THROW_ON_ERROR), "\n";
