package plugins

import (
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
)

const usesESBuild = `
import fieldprof, { type FieldprofOptions } from '@fieldprof/esbuild';
import type { Plugin } from 'esbuild';
const options: FieldprofOptions = { preset: 'fine', checks: ['entry', 'loop'], maxGzip: '3%', variant: 'both', servedir: 'www' };
export const plugins: Plugin[] = [fieldprof(), fieldprof(options)];
// @ts-expect-error: no such option
fieldprof({ presett: 'fine' });
// @ts-expect-error: no such preset
fieldprof({ preset: 'fien' });
`

const usesUnplugin = `
import fieldprof, { type FieldprofOptions } from '@fieldprof/unplugin/vite';
import webpack from '@fieldprof/unplugin/webpack';
import { defineConfig } from 'vite';
const options: FieldprofOptions = { preset: 'fine', include: ['src/**'], strict: true };
export default defineConfig({ plugins: [fieldprof(options)] });
export const plugin: { apply(compiler: never): void } = webpack({ variant: 'both' });
// @ts-expect-error: that is esbuild's
fieldprof({ servedir: 'www' });
`

// typesHelp: options are checked in editors, by modules and, for esbuild, CommonJS.
func typesHelp(t *testing.T, w workshop) {
	tsc := filepath.Join(fixtures.Dir(), "../test/lint/node_modules/.bin/tsc")
	for name, text := range map[string]string{"esbuild.mts": usesESBuild, "esbuild.cts": usesESBuild, "unplugin.mts": usesUnplugin} {
		must.Write(t, w.folder, name, text)
		must.Run(t, w.folder, tsc, "--strict", "--noEmit", "--skipLibCheck", "--target", "es2022", "--lib", "es2023,dom", "--module", "nodenext", name)
	}
}
