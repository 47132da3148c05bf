import { ConfigError } from './ini.ts'

/** Throws a ConfigError if the keys contradict each other: LibreOffice would read the files and the network of this machine. */
export function checkConverter({ Converter }: { Converter: { Sandbox: boolean; Office: boolean } }): void {
  if (Converter.Office && !Converter.Sandbox)
    throw new ConfigError('[Converter] Office needs the sandbox: [Converter] Sandbox = 1')
}
