// biome-ignore-all lint/a11y/noRedundantRoles: the styles of phones remove the implicit roles of a table
import type { ReactNode } from 'react'
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
  /** The buttons of a row. */
  actions?: ((row: Row) => ReactNode) | undefined
  actionsLabel: string
}

/** A table; on phones a card for each row. The roles stay when the styles turn cells into lines. */
export function DataTable<Row>({ label, columns, rows, keyOf, actions, actionsLabel }: Props<Row>) {
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
          <tr key={keyOf(row)} role="row">
            {columns.map(({ key, label: heading, render, isNumeric }) => (
              <td key={key} role="cell" data-label={heading} data-numeric={isNumeric || undefined}>
                <span className={styles.value}>{render(row)}</span>
              </td>
            ))}
            {actions && (
              <td role="cell" className={styles.actions}>
                {actions(row)}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
