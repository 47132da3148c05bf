/** The address that documents give as an example. */
const EXAMPLE = 'https://meet.example.org'

/** Commands can be copied as they are: they have the address of the server whose documentation is read. */
export function showOwnAddress(page: Document, origin: string): void {
  for (const code of page.querySelectorAll('#content code'))
    if (code.textContent?.includes(EXAMPLE)) code.textContent = code.textContent.replaceAll(EXAMPLE, origin)
}
