import { useEffect } from 'react'
import type { ApiDocument, Operation } from './api-document.ts'
import { OperationView } from './OperationView.tsx'
import { Prose } from './Prose.tsx'
import styles from './Reference.module.css'

/** The API by its tags, and the webhooks. */
export function Reference({ document }: { document: ApiDocument }) {
  useOpenedFragment()
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )
  const isAbout = (name: string) => (each: { operation: Operation }) => each.operation.tags[0] === name
  return (
    <>
      <Prose text={document.info.description} />
      <p>
        Base address <code>{document.servers[0]?.url}</code>, version {document.info.version}.
        Machine-readable: <a href="/api/openapi.json">OpenAPI 3.1</a>,{' '}
        <a href="/docs/asyncapi.json">AsyncAPI 3.1</a> of the control protocol.
      </p>
      <nav aria-label="Groups of the reference">
        <ul className={styles.groups}>
          {document.tags.map(({ name }) => (
            <li key={name}>
              <a href={`#${anchorOf(name)}`}>{name}</a>
            </li>
          ))}
          <li>
            <a href="#events">Events</a>
          </li>
        </ul>
      </nav>
      {document.tags.map(({ name, description }) => (
        <section key={name}>
          <h2 id={anchorOf(name)}>{name}</h2>
          <Prose text={description} />
          {operations.filter(isAbout(name)).map(({ path, method, operation }) => (
            <OperationView
              key={operation.operationId}
              document={document}
              method={method.toUpperCase()}
              path={path}
              operation={operation}
            />
          ))}
        </section>
      ))}
      <section>
        <h2 id="events">Events</h2>
        <p>
          What the server sends to your <a href="/docs/webhooks">webhook</a>.
        </p>
        {Object.entries(document.webhooks).map(([name, { post }]) => (
          <OperationView key={name} document={document} method="EVENT" path={name} operation={post} />
        ))}
      </section>
    </>
  )
}

const anchorOf = (name: string) => name.toLowerCase().replaceAll(' ', '-')

/** Opens the operation that the address names, now and when it changes. */
function useOpenedFragment(): void {
  useEffect(() => {
    const open = () => {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
      if (target instanceof HTMLDetailsElement) target.open = true
      target?.scrollIntoView()
    }
    open()
    window.addEventListener('hashchange', open)
    return () => window.removeEventListener('hashchange', open)
  }, [])
}
