// The one way to the server: the store brings socket, requests, storage and tabs; the list of threads asks by itself.
import { type Store, createStore, init } from 'turnseal'

/** A store of the threads of the server that gave this page. */
export async function connect(): Promise<Store> {
  await init()
  return createStore({ connect: { url: '/' }, limits: { page: 100 } })
}

/** Asks the server and gives its JSON; what it refuses is an error with its words. */
export async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(path, init)
  if (response.ok) return response.json()
  const { message } = await response.json().catch(() => ({}))
  throw new Error(message ?? `the server answered ${response.status}`)
}
