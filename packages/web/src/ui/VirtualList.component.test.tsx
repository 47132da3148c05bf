import { useState } from 'react'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../testing/render.tsx'
import { VirtualList } from './VirtualList.tsx'

const ROWS = Array.from({ length: 500 }, (_, index) => `Row ${index}`)
const itself = (row: string) => row

/** A list below something that grows, and new rows at its start. */
function Scrolled() {
  const [parts, setParts] = useState(1)
  const [rows, setRows] = useState(ROWS)
  return (
    <main>
      <button type="button" onClick={() => setParts(parts + 2)}>
        Grow
      </button>
      <button type="button" onClick={() => setRows([`New ${rows.length}`, ...rows])}>
        Add
      </button>
      <div data-testid="area" style={{ height: 300, overflowY: 'auto' }}>
        <div style={{ height: parts * 80 }}>Above</div>
        <VirtualList label="Rows" items={rows} keyOf={itself} rowRem={2}>
          {row => <div style={{ height: '2rem' }}>{row}</div>}
        </VirtualList>
      </div>
    </main>
  )
}

/** The height of what is above, and the number of rows. */
const shape = () => [
  page.getByText('Above').element().getBoundingClientRect().height,
  page.getByRole('listitem').elements()[0]?.getAttribute('aria-setsize'),
]
const topOf = (row: string) => page.getByText(row, { exact: true }).element().getBoundingClientRect().top

it('keeps its first visible row in place while rows are added and what is above it grows', async () => {
  await render(<Scrolled />)
  const area = page.getByTestId('area').element()
  area.scrollTop = 80 + 32 * 100 + 10
  await expect.element(page.getByText('Row 101', { exact: true })).toBeVisible()
  const before = topOf('Row 101')
  const grow = page.getByRole('button', { name: 'Grow' })
  const add = page.getByRole('button', { name: 'Add' })
  for (const [change, px, rows] of [
    [grow, 240, 500],
    [add, 240, 501],
    [add, 240, 502],
    [grow, 400, 502],
  ] as const) {
    await change.click()
    await expect.poll(shape).toEqual([px, String(rows)])
    await expect.poll(() => Math.abs(topOf('Row 101') - before)).toBeLessThan(1)
  }
  // Somebody who sees the rows above sees them grow.
  area.scrollTop = 0
  await expect.poll(() => area.scrollTop).toBe(0)
  await grow.click()
  await expect.poll(shape).toEqual([560, '502'])
  expect(area.scrollTop).toBe(0)
})
