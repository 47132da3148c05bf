import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { renderHome } from '../../testing/home.tsx'
import { adminRoutes } from './answers.ts'

/** A page of the administration, `path` below /admin, on a server with something in every section. */
export const openAdmin = (
  path = '',
  options: Parameters<typeof renderHome>[1] = {},
): ReturnType<typeof renderHome> =>
  renderHome(`/admin${path}`, {
    capabilities: ['admin'],
    ...options,
    routes: { ...adminRoutes(), ...options.routes },
  })

export const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
export const dialog = page.getByRole('dialog')
export const row = (text: string) => page.getByRole('row').filter({ hasText: text })
export const POST = 'POST /api/v1.0/admin'

/** Nothing is loading any more. */
export const isLoaded = () =>
  expect.poll(() => document.querySelector('main')?.textContent).not.toMatch(/Loading|Загружаем|نحمّل/)
