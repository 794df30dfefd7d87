/** These values are not secret. They give access only to a sandbox on the same machine. */
export const sandboxCredentials = {
  apiToken: 'sandbox-token-6f1d0c2b9a7e4835',
  apiKey: 'sandbox-key-b84e17f05d3a4c69',
}
