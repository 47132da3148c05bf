/** Prints one JSON object with --json, otherwise the text for people. */
export function print({ json }: { json?: true }, value: object, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : text}\n`)
}

/** Formats rows as aligned columns below their headings. */
export function table(headings: string[], rows: string[][]): string {
  const lines = [headings, ...rows]
  const widths = headings.map((_, column) => Math.max(...lines.map(line => (line[column] ?? '').length)))
  return lines
    .map(line =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const paint = (open: number, close: number) => (text: string, stream: OutputStream) =>
  stream.isTTY && !process.env.NO_COLOR ? `\x1b[${open}m${text}\x1b[${close}m` : text

type OutputStream = { isTTY?: boolean }

/** Colours for terminals, unless NO_COLOR is set. */
export const bold = paint(1, 22)
export const dim = paint(2, 22)
export const green = paint(32, 39)
export const yellow = paint(33, 39)
export const red = paint(31, 39)
