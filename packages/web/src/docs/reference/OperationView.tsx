import { useState } from 'react'
import {
  type ApiDocument,
  type Content,
  type Operation,
  type Parameter,
  type Response,
  resolve,
} from './api-document.ts'
import { Code } from './Code.tsx'
import { curlOf } from './curl.ts'
import { Inline, Prose } from './Prose.tsx'
import styles from './Reference.module.css'
import { Fields, SchemaView } from './SchemaView.tsx'

interface Props {
  document: ApiDocument
  method: string
  path: string
  operation: Operation
}

/** One operation, whose details are made when it is opened. */
export function OperationView(props: Props) {
  const { method, path, operation } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      id={operation.operationId}
      className={styles.operation}
      onToggle={event => setOpen(event.currentTarget.open)}
    >
      <summary className={styles.summary}>
        <span className={styles.method} data-method={method}>
          {method}
        </span>
        <code className={styles.path}>{path}</code>
        <span className={styles.name}>{operation.summary}</span>
      </summary>
      {isOpen && <Details {...props} />}
    </details>
  )
}

const AUTHENTICATION: Record<string, string> = {
  service: 'a token of a service account',
  user: 'an access token of a user',
}

function Details({ document, method, path, operation }: Props) {
  const { description, security, parameters = [], requestBody, responses } = operation
  const schemes = security.flatMap(each => Object.keys(each)).map(name => AUTHENTICATION[name] ?? name)
  const isEvent = method === 'EVENT'
  return (
    <div className={styles.details}>
      <Prose text={description} />
      {!isEvent && (
        <p>
          <strong>Authentication:</strong> {schemes.length > 0 ? schemes.join(' or ') : 'none'}.{' '}
          <span className={styles.soft}>
            operationId <code>{operation.operationId}</code>
          </span>
        </p>
      )}
      <Parameters parameters={parameters} document={document} />
      {requestBody && (
        <>
          <h3>{isEvent ? 'Body' : `Request body${requestBody.required ? '' : ' (optional)'}`}</h3>
          <ContentView
            content={isEvent ? requestBody.content : withoutExamples(requestBody.content)}
            document={document}
          />
        </>
      )}
      {!isEvent && (
        <>
          <h3>With curl</h3>
          <Code>{curlOf(document.servers[0]?.url ?? '', method, path, operation)}</Code>
        </>
      )}
      <h3>{isEvent ? 'Your response' : 'Responses'}</h3>
      {Object.entries(responses).map(([status, response]) => (
        <ResponseView
          key={status}
          status={status}
          response={resolve(document, response)}
          document={document}
        />
      ))}
    </div>
  )
}

const PLACES = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
] as const

function Parameters({ parameters, document }: { parameters: Parameter[]; document: ApiDocument }) {
  return PLACES.map(([place, title]) => {
    const here = parameters.filter(each => each.in === place)
    if (here.length === 0) return null
    const fields = here.map(({ name, required = false, description, schema }) => ({
      name,
      isRequired: required,
      schema: { ...schema, ...(description && { description }) },
    }))
    return (
      <div key={place}>
        <h3>{title}</h3>
        <Fields fields={fields} document={document} />
      </div>
    )
  })
}

/** The command for curl has them. */
const withoutExamples = (content: Content): Content =>
  Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, { schema }]))

function ContentView({ content, document }: { content: Content; document: ApiDocument }) {
  return Object.entries(content).map(([type, { schema, example }]) => (
    <div key={type}>
      {type !== 'application/json' && (
        <p>
          <code>{type}</code>
        </p>
      )}
      <SchemaView schema={schema} document={document} />
      {example !== undefined && (
        <details className={styles.example}>
          <summary>Example</summary>
          <Code>{JSON.stringify(example, null, 2)}</Code>
        </details>
      )}
    </div>
  ))
}

function ResponseView(props: { status: string; response: Response; document: ApiDocument }) {
  const { status, response, document } = props
  const { description, headers = {}, content } = response
  const isError = !/^[23]/.test(status)
  const names = Object.keys(headers)
  return (
    <div className={styles.response}>
      <p className={styles.status} data-kind={isError ? 'error' : 'done'}>
        {status === 'default' ? 'Any request' : status}
      </p>
      <div>
        <Prose text={description} />
        {names.length > 0 && (
          <p className={styles.soft}>
            Headers: <Inline text={names.map(name => `\`${name}\``).join(', ')} />
          </p>
        )}
        {content && !isError && <ContentView content={content} document={document} />}
      </div>
    </div>
  )
}
