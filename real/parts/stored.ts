/** An object that both stores keep. */
export interface StoredObject {
  body: Buffer
  contentType: string
  contentEncoding?: string
}

// A fresh checkout has none of the packages in `real/`.
export const howToGetStores = 'Install the stores with `npm ci --prefix real`.'
