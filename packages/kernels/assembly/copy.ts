export function copy(to: usize, from: usize, bytes: usize): void {
  memory.copy(to, from, bytes);
}
