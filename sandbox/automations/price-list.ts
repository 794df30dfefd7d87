/** Returns a list of prices as CSV. Seed: `{ "products": 4 }`. */
import type { Automation } from '../service/automation.ts'

const names = ['Desk', 'Chair, blue', 'Lamp 12"', 'Shelf']

const priceList: Automation<{ products?: number }> = ({ products = names.length }) => {
  console.log(`writing the prices of ${products} products`)
  const rows = Array.from({ length: products }, (_, index) => [
    String(index + 1).padStart(5, '0'),
    names[index % names.length] ?? '',
    (19.5 + 7 * index).toFixed(2),
  ])
  const lines = [['number', 'product', 'price'], ...rows].map((cells) => cells.map(quoted).join())
  return { contentType: 'text/csv; charset=utf-8', body: `${lines.join('\r\n')}\r\n` }
}

/** Writes a cell as RFC 4180 says. */
function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

export default priceList
