<?php

declare(strict_types=1);

namespace Lectern\Partner;

/**
 * The events after a position, oldest first, page by page. `$last` is the position to begin with the next time: all events up
 * to it have been iterated.
 *
 * @implements \IteratorAggregate<int, array<string, mixed>>
 */
final class EventPages implements \IteratorAggregate
{
    /** @param \Closure(int): array<string, mixed> $read */
    public function __construct(public int $last, private readonly \Closure $read)
    {
    }

    /** @return \Generator<int, array<string, mixed>> */
    public function getIterator(): \Generator
    {
        do {
            $page = ($this->read)($this->last);
            foreach ($page['events'] as $event) {
                yield $event;
            }
            $this->last = $page['last'];
        } while ($page['next'] !== null);
    }
}
