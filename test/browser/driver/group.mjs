// Programs that run in a process group of their own, so that all they start
// can be ended with them.
import { spawn } from 'node:child_process';

export function killGroup(program) {
  try {
    process.kill(-program.pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}

/** Ends a program's group when this process ends, even if it is killed (its files then stay). */
export function guard(program) {
  const shell = spawn('/bin/sh', ['-c', `cat >/dev/null; kill -s KILL -- -${program.pid}`], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  shell.stdin.on('error', () => {});
  shell.unref();
  return program;
}
