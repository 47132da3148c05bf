<?php

/**
 * php tests/run.php: the shared vectors and the arguments that are refused without a request.
 * php tests/run.php URL OTHER_URL: also the behaviour against the scripted servers of partner-languages.test.ts.
 */

declare(strict_types=1);

use Lectern\Partner\LecternException;
use Lectern\Partner\PartnerClient;
use Lectern\Partner\Webhook;
use Lectern\Partner\WebhookVerificationException;

require __DIR__ . '/../autoload.php';

$passed = 0;

function expect(string $title, mixed $actual, mixed $expected): void
{
    global $passed;
    if ($actual !== $expected) {
        fwrite(STDERR, "$title: expected " . var_export($expected, true) . ', got ' . var_export($actual, true) . "\n");
        exit(1);
    }
    $passed++;
}

function codeOf(callable $call): string
{
    try {
        $call();
    } catch (LecternException $error) {
        return trim("$error->status $error->errorCode");
    }
    return 'no error';
}

function vectors(string $name): array
{
    $text = file_get_contents(__DIR__ . "/../../vectors/$name.json");
    return json_decode($text, true, flags: JSON_THROW_ON_ERROR);
}

$standard = vectors('standard-webhooks')['cases'];
foreach ([...vectors('webhooks')['cases'], ...$standard] as $case) {
    $headers = [];
    foreach ($case['headers'] as [$name, $value]) {
        $headers[$name][] = $value;
    }
    try {
        $arguments = [$case['body'], $headers, $case['secrets'], $case['now']];
        $event = in_array($case, $standard, true)
            ? Webhook::verifyStandard(...$arguments)
            : Webhook::verify(...$arguments);
        $result = $event === json_decode($case['body'], true) ? 'valid' : 'another event';
    } catch (WebhookVerificationException $error) {
        $result = $error->reason;
    }
    expect($case['name'], $result, $case['expect']);
}
foreach (['', [], [''], ['another', '']] as $secret) {
    try {
        Webhook::verify('{}', [], $secret);
        $result = 'no error';
    } catch (InvalidArgumentException) {
        $result = 'refused';
    }
    expect('a receiver without a secret', $result, 'refused');
}

[, $url, $other] = $argv + ['', 'http://127.0.0.1:9', ''];
$client = new PartnerClient($url, 'school', 'a-very-secret-secret', [0, 0]);
foreach (['', '.', '..', str_repeat('x', 256), "\xff", "a\0b"] as $id) {
    expect('a wrong external_id', codeOf(fn () => $client->createRoom($id)), 'invalid_argument');
}
foreach (['', '..', "\xff"] as $id) {
    expect('a wrong delivery id', codeOf(fn () => $client->getDelivery($id)), 'invalid_argument');
}
expect('a wrong filter', codeOf(fn () => $client->listRooms(search: "\xff")), 'invalid_argument');
foreach (['', '.', '..', 'file:///etc/passwd', 'data:text/plain,x/y', 'php://filter/x', "/a\r\nX: 1"] as $blob) {
    expect("the blob $blob", codeOf(fn () => $client->downloadBlob($blob)), 'invalid_argument');
}
expect('a wrong range', codeOf(fn () => $client->downloadBlob('b', "bytes=1-\r\nX: 1")), 'invalid_argument');
foreach (['', 'ftp://host', 'host', 'https://user:secret@host', 'https://host?x=1', 'https://host#x'] as $base) {
    expect("the base URL $base", codeOf(fn () => new PartnerClient($base, 'school', 'secret')), 'invalid_argument');
}
expect('a dump', str_contains(print_r([$client, $client->v2], true), 'very-secret'), false);

if ($other === 'vectors') {
    foreach (vectors('requests')['calls'] as $case) {
        $target = $case['version'] === 1 ? $client : $client->v2;
        $body = isset($case['body']) ? [$case['body']] : [];
        $body = isset($case['content']) ? [$case['content']] : $body;
        $target->{$case['call']}(...($case['ids'] ?? []), ...$body, ...($case['filters'] ?? []));
    }
    $client->v2->sendMessage('x', ['text' => 'Hello'], idempotencyKey: 'mine');
    $events = $client->v2->events(after: 7, limit: 2);
    $found = [];
    foreach ($events as $event) {
        $found[] = [$event['id'], $events->last];
    }
    expect('events', $found, [['evt_1', 7], ['evt_2', 7], ['evt_3', 9]]);
    expect('the position after them', $events->last, 11);
} elseif ($other !== '') {
    expect('retries', $client->getRoom('a/b ü'), ['result' => 200]);
    expect('a refusal', codeOf(fn () => $client->getRoom('x')), '404 room_not_found');
    expect('a long delay', codeOf(fn () => $client->getRoom('x')), '429 rate_limited');
    expect('a renewed token', $client->updateRoom('x', ['title' => 'Ω']), ['result' => 200]);
    expect('a second refused token', codeOf(fn () => $client->getRoom('x')), '401 token_expired');
    expect('a failing archive', codeOf(fn () => $client->listRecordings()), '200 archive_unavailable');
    expect('a range', stream_get_contents($client->downloadBlob('b 1', 'bytes=2-')), 'llo');
    expect('a redirect', codeOf(fn () => $client->downloadBlob('b1')), '302 redirected');
    expect('another origin', is_resource($client->downloadBlob("$other/file")), true);
    expect('another answer', codeOf(fn () => $client->getRoom('x')), '200 bad_answer');
    expect('a lost connection', codeOf(fn () => $client->getRoom('x')), 'network_error');
    expect('an answer that is cut off', codeOf(fn () => $client->getRoom('x')), 'network_error');
    $client->listRooms();
    $client->listRooms('closed', 'teacher:7', search: 'a b&ü', limit: 5, before: 'p1');
    $client->deleteWebhook();
    $client->testWebhook();
    $client->rotateWebhookSecret(['secret' => 'the-next-secret-of-all', 'overlap_seconds' => 60]);
    $client->finishWebhookRotation();
    $client->listDeliveries('failed', 1);
    $client->getDelivery('wh_1');
    $client->replayDelivery('wh_1');
    try {
        $client->getRoom('x');
        $requestId = 'no error';
    } catch (LecternException $error) {
        $requestId = $error->requestId;
    }
    expect('the id of a refused request', $requestId, 'r-1');
}
echo "$passed tests passed\n";
