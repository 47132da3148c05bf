import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** One configuration key: what it means, what it is without a setting, and how its text is read. */
export interface Key<T> {
  description: string
  form: string
  fallback: T
  /** Throws an Error whose message completes the sentence "Key must be …". */
  parse: (text: string) => T
}

const fail = (form: string): never => {
  throw new Error(form)
}

export const text = (description: string, fallback = ''): Key<string> => ({
  description,
  form: 'text',
  fallback,
  parse: value => value,
})

const SECRET_MIN_CHARACTERS = 32

/** Key material. Code points count, and the value never appears in the message. */
export const secret = (description: string): Key<string> => {
  const form = `${SECRET_MIN_CHARACTERS} characters or more`
  return {
    description,
    form,
    fallback: '',
    parse: value => (Array.from(value).length >= SECRET_MIN_CHARACTERS ? value : fail(form)),
  }
}

export const flag = (description: string, fallback: boolean): Key<boolean> => {
  const form = '0 or 1'
  return { description, form, fallback, parse: value => (/^[01]$/.test(value) ? value === '1' : fail(form)) }
}

export const integer = (description: string, fallback: number, min: number, max: number): Key<number> => {
  const form = `an integer from ${min} to ${max}`
  return {
    description,
    form,
    fallback,
    parse: value => {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
      return number >= min && number <= max ? number : fail(form)
    },
  }
}

export const oneOf = <const T extends string>(
  description: string,
  fallback: T,
  options: readonly T[],
): Key<T> => {
  const form = `one of ${options.join(', ')}`
  return {
    description,
    form,
    fallback,
    parse: value => options.find(option => option === value) ?? fail(form),
  }
}

/** Words separated by spaces. */
export const words = (description: string): Key<string[]> => ({
  description,
  form: 'a list separated by spaces',
  fallback: [],
  parse: value => value.split(/\s+/).filter(Boolean),
})

/** Addresses and networks of proxies, or how many proxies there are in front of the server, wherever they are. */
export type Proxies = string[] | 1

export const proxies = (description: string): Key<Proxies> => {
  const form =
    'addresses such as 10.0.0.7, networks such as 10.0.0.0/8, loopback, linklocal or uniquelocal; or 0 for none, 1 for one at any address'
  const isKnown = (each: string) =>
    /^(loopback|linklocal|uniquelocal)$/.test(each) || isIP(each) !== 0 || ipaddr.isValidCIDR(each)
  return {
    description,
    form,
    fallback: [],
    parse: value => {
      if (value === '0' || value === '1') return value === '1' ? 1 : []
      const list = words('').parse(value)
      return list.every(isKnown) ? list : fail(form)
    },
  }
}

/** Sources as CSP's frame-ancestors takes them; anything that could end the directive is refused. */
export const ancestors = (description: string): Key<string[]> => {
  const form = "origins such as https://partner.example, 'self' or 'none', separated by spaces"
  const source = /^('self'|'none'|\*|https?:|https?:\/\/[\w*.[\]:-]+)$/i
  return {
    description,
    form,
    fallback: [],
    parse: value => {
      const sources = words('').parse(value)
      return sources.every(each => source.test(each)) ? sources : fail(form)
    },
  }
}

/**
 * An http(s) origin. Pages, assets, the API and the control socket have absolute paths, so an address with a path
 * of its own would break all of them.
 */
export const origin = (description: string): Key<string> => {
  const form = 'an http or https address without a path, e.g. https://meet.example.org'
  return {
    description,
    form,
    fallback: '',
    parse: value => {
      const parsed = URL.canParse(value) ? new URL(value) : fail(form)
      const { protocol, host, pathname, username, password, search, hash } = parsed
      // URL lets through hosts with signs that would end a directive of the pages' CSP.
      if (!/^https?:$/.test(protocol) || !/^[\w.[\]:-]+$/.test(host)) fail(form)
      if (pathname !== '/' || username || password || search || hash) fail(form)
      return parsed.origin
    },
  }
}
