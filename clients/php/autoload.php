<?php

declare(strict_types=1);

/** Loads the classes of the client without Composer. */
spl_autoload_register(static function (string $class): void {
    $prefix = 'Lectern\\Partner\\';
    if (str_starts_with($class, $prefix)) {
        require __DIR__ . '/src/' . substr($class, strlen($prefix)) . '.php';
    }
});
