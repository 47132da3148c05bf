import { type ApiDocument, resolve, type Schema, schemaName } from './api-document.ts'
import { Inline } from './Prose.tsx'
import styles from './Reference.module.css'

interface Props {
  schema: Schema
  document: ApiDocument
}

/** The fields of an object, or what else the schema is. */
export function SchemaView({ schema, document }: Props) {
  const resolved = resolve(document, schema)
  if (!resolved.properties) return <p className={styles.type}>{typeOf(resolved)}</p>
  return <Fields fields={fieldsOf(resolved)} document={document} />
}

export interface Field {
  name: string
  isRequired: boolean
  schema: Schema
}

const fieldsOf = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, isRequired: required.includes(name), schema }))

/** A list of fields; objects in them open. */
export function Fields({ fields, document }: { fields: Field[]; document: ApiDocument }) {
  return (
    <ul className={styles.fields}>
      {fields.map(field => (
        <FieldView key={field.name} field={field} document={document} />
      ))}
    </ul>
  )
}

function FieldView({
  field: { name, isRequired, schema },
  document,
}: {
  field: Field
  document: ApiDocument
}) {
  const resolved = resolve(document, schema)
  const inner = innerObject(document, schema)
  const { description = resolved.description } = schema
  const limits = limitsOf(resolved)
  return (
    <li className={styles.field}>
      <code className={styles.fieldName}>{name}</code>{' '}
      <span className={styles.type}>{typeOf(schema, document)}</span>
      {isRequired && <span className={styles.required}> required</span>}
      {description && (
        <div>
          <Inline text={description} />
        </div>
      )}
      {limits && <div className={styles.soft}>{limits}</div>}
      {inner && (
        <details>
          <summary>Fields</summary>
          <SchemaView schema={inner} document={document} />
        </details>
      )}
    </li>
  )
}

/** The object in a field: itself, an item of its list, or the alternative to null. */
function innerObject(document: ApiDocument, schema: Schema): Schema | null {
  const resolved = resolve(document, schema)
  if (resolved.properties) return resolved
  if (resolved.items) return innerObject(document, resolved.items)
  for (const each of resolved.anyOf ?? []) {
    const inner = innerObject(document, each)
    if (inner) return inner
  }
  return null
}

function typeOf(schema: Schema, document?: ApiDocument): string {
  const name = schemaName(schema)
  if (name) return name
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(each => typeOf(each, document)).join(' or ')
  const types = [schema.type ?? 'anything'].flat()
  return types
    .map(type => (type === 'array' ? `list of ${typeOf(schema.items ?? {}, document)}` : type))
    .join(' or ')
}

/** The limits of the value, in words. */
function limitsOf({ minLength, maxLength, minimum, maximum, minItems, maxItems, pattern }: Schema): string {
  const range = (least: number | undefined, most: number | undefined, unit: string) => {
    if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`
    if (most !== undefined) return `at most ${most}${unit}`
    return least === undefined ? '' : `at least ${least}${unit}`
  }
  const parts = [
    range(minLength, maxLength, ' characters'),
    range(minimum, maximum, ''),
    range(minItems, maxItems, ' entries'),
    pattern === undefined ? '' : `matches ${pattern}`,
  ]
  return parts.filter(part => part !== '').join(', ')
}
