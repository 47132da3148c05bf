// biome-ignore-all lint/a11y/noRedundantRoles: the styles of phones remove the implicit roles of a table
import type { MouseEvent, ReactNode } from 'react'
import { Link } from '../../site/Link.tsx'
import { useSite } from '../../site/use-site.ts'
import styles from './DataTable.module.css'

export interface Column<Row> {
  key: string
  label: string
  render: (row: Row) => ReactNode
  /** Numbers are aligned at their end. */
  isNumeric?: boolean
}

interface Props<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** The page of a row: its first cell links to it, and a click anywhere in the row opens it. */
  hrefOf?: ((row: Row) => string) | undefined
  /** The buttons of a row. */
  actions?: ((row: Row) => ReactNode) | undefined
  actionsLabel: string
}

/** A table; on phones a card for each row. The roles stay when the styles turn cells into lines. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, keyOf, hrefOf, actions, actionsLabel } = props
  const { go } = useSite()
  return (
    <table className={styles.table} role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ key, label: heading, isNumeric }) => (
            <th key={key} role="columnheader" scope="col" data-numeric={isNumeric || undefined}>
              {heading}
            </th>
          ))}
          {actions && (
            <th role="columnheader" scope="col">
              <span className="visually-hidden">{actionsLabel}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(row => (
          <tr
            key={keyOf(row)}
            role="row"
            data-opens={hrefOf !== undefined}
            onClick={event => hrefOf && isOnRow(event) && go(hrefOf(row))}
          >
            {columns.map(({ key, label: heading, render, isNumeric }, index) => (
              <td key={key} role="cell" data-label={heading} data-numeric={isNumeric || undefined}>
                <span className={styles.value}>
                  {hrefOf && index === 0 ? <Link href={hrefOf(row)}>{render(row)}</Link> : render(row)}
                </span>
              </td>
            ))}
            {actions && (
              <td role="cell" className={styles.actions}>
                <div className={styles.buttons}>{actions(row)}</div>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A plain click on the row itself: not on a control in it, and not the end of a selection. */
const isOnRow = ({ target, currentTarget, metaKey, ctrlKey, shiftKey }: MouseEvent) => {
  const control = target instanceof Element && target.closest('a, button, dialog, section')
  const isOnControl = control && currentTarget.contains(control)
  return !isOnControl && !(metaKey || ctrlKey || shiftKey) && getSelection()?.isCollapsed !== false
}
