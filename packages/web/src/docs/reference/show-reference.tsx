import { createRoot } from 'react-dom/client'
import type { ApiDocument } from './api-document.ts'
import { Reference } from './Reference.tsx'

/** Shows the OpenAPI document of this server, with what a fragment of the address names opened. */
export async function showReference(root: HTMLElement): Promise<void> {
  const page = createRoot(root)
  try {
    const response = await fetch('/api/openapi.json')
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    page.render(<Reference document={(await response.json()) as ApiDocument} />)
  } catch {
    page.render(
      <p>
        The reference could not be loaded. Reload the page, or open{' '}
        <a href="/api/openapi.json">the OpenAPI document</a>.
      </p>,
    )
  }
}
