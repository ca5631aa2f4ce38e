"""The statements that `statement_times` measures: each line runs in both libraries."""

TEXTS = """
w << u
w << u + v
w << u * v
w << binary.plus(u | v)
w << binary.minus(u | v, left_default=0, right_default=0)
w << monoid.min(u & v)
w << u + 1
w << 2 * u
w << u / 2
w << iu / 2
w << iu + u
wb << (u < v)
wb << (u < 0.5)
wb << (q | q2)
wb << monoid.lor(q & q2)
w << -u
w << abs(u)
w << u.apply(unary.abs)
w << u.apply("sqrt")
w << u.apply(binary.plus, right=1)
w << u.apply(binary.minus, left=1)
wi << u.apply(indexunary.index)
w << u.select(">", 0.5)
w << u.select("valuene", 0)
w << u.select(select.indexle, 3)
w << u.select(q.S)
w << u.dup()
w(q.S) << u
w(q.V) << u
w(~q.S) << u
w(~q.V) << u
w(q.S, replace) << u
w(q.V, replace) << u
w(~q.S, replace) << u
w(binary.plus) << u
w(binary.plus) << f
f2(binary.plus) << u
f2(binary.plus) << f
w(q.S, binary.plus) << u
w(q.S, binary.plus, replace) << u
w(~q.S, binary.plus) << u
f2(q.S, binary.plus) << u
f2(q.S, binary.plus) << f
w(q.S) << u + v
w(q.S, replace) << u + v
w(q.S, binary.plus) << u + v
w(q.S, replace) << binary.times(u & v)
w(q.S) << u.apply("abs")
w(q.S, replace) << u.apply("abs")
w(q.S, binary.plus) << u.apply("abs")
w(q.S, replace) << u.select(">", 0.5)
w << 1
w[:] = 1
w(q.S) << 1
w(~q.S) << 1
w(q.S, replace) << 1
w(q.S, binary.plus) << 1
w(q.V)[:] << 1
w[3] = 2
w[3] << 2
w(binary.plus)[3] << 2
w[:5] = 2
w[J] = 2
w[J] << p
w[J](q_p.S) << p
w(binary.plus)[J] << p
w[:5] << h
x << u[3]
y = u[3].new()
y = u.get(3)
y = 3 in u
wp << u[J]
wh << u[:5]
y = u[J].new()
y = u[:5].new()
x << u.reduce(monoid.plus)
x << u.reduce()
y = u.reduce(monoid.max).new()
y = u.reduce(monoid.plus).new().value
y = u.reduce(agg.mean).new()
y = u.reduce(agg.count).new()
y = u.reduce(agg.exists).new()
x << q.reduce(monoid.lor)
x(binary.plus) << u.reduce(monoid.plus)
x << f.reduce(monoid.plus)
w << u @ A
w << A @ u
w << A.T @ u
w << u @ A.T
w << u.vxm(A)
w << A.mxv(u, semiring.min_plus)
w << semiring.min_plus(u @ A)
w << semiring.min_plus(f @ A)
w << semiring.plus_times(f @ A)
w << semiring.plus_times(A @ f)
w << semiring.plus_second(A @ f)
w << semiring.max_first(u @ A)
wb << semiring.any_pair(q @ A)
wb << semiring.lor_land(q @ A_bool)
w << u @ A_int
wi << semiring.any_secondi(q @ A)
w(binary.plus) << u @ A
w(binary.min) << semiring.min_plus(u @ A)
f2(binary.min) << semiring.min_plus(u @ A)
w(q.S) << u @ A
w(q.S, replace) << u @ A
w(~q.S, replace) << u @ A
w(q.V) << u @ A
w(q.S, binary.plus) << u @ A
w(q.S, binary.plus) << A @ u
w(q.S, binary.plus, replace) << u @ A
w(~q.S, binary.min) << semiring.min_plus(u @ A)
wb(~q.S, replace) << semiring.any_pair(q @ A)
wb(~f.S, replace) << semiring.any_pair(q @ A)
x << u @ v
y = (u @ v).new()
x << semiring.min_plus(u @ v)
w << A.reduce_rowwise(monoid.plus)
w << A.reduce_columnwise(monoid.plus)
w << A.reduce_rowwise(monoid.min)
wi << A.reduce_rowwise(agg.count)
w << A.reduce_rowwise(agg.mean)
w(q.S) << A.reduce_rowwise(monoid.plus)
w(binary.plus) << A.reduce_rowwise(monoid.plus)
w(q.S, binary.plus) << A.reduce_rowwise(monoid.plus)
x << A.reduce_scalar(monoid.plus)
y = A.reduce_scalar(agg.count).new()
y = A.reduce_scalar(monoid.max).new().value
w << A.diag()
w << A[0, :]
w << A[:, 0]
y = A[0, :].new()
y = A[0, 0].new()
y = A.get(0, 0)
C << A
C << A.T
C << A + B
C << A * B
C << binary.minus(A | B, left_default=0, right_default=0)
C << A + 1
C << 2 * A
C << A / 2
C << A_int / 2
C << A_int + A
Cb << (A < B)
Cb << (A < 0.5)
Cb << (M | M2)
C << -A
C << abs(A)
C << A.apply("abs")
C << A.apply(unary.sqrt)
C << A.apply(unary.one)
C << A.apply(binary.plus, right=1)
C << A.apply(binary.minus, left=1)
Ci << A.apply(indexunary.rowindex)
Ci << A.apply("colindex", 1)
C << A.select(">", 0.5)
C << A.select("tril", -1)
C << A.select(select.triu)
C << A.select("diag")
C << A.select(M.S)
C << A.dup()
C << A.T.apply("abs")
C << A + B.T
C(M.S) << A
C(M.V) << A
C(~M.S) << A
C(M.S, replace) << A
C(M.V, replace) << A
C(~M.S, replace) << A
C(A.S, replace) << B
C(A.S) << B
C(binary.plus) << A
C(M.S, binary.plus) << A
C(M.S, binary.plus, replace) << A
C(~M.S, binary.plus) << A
C(M.S) << A + B
C(M.S, replace) << A + B
C(~M.S, replace) << A + B
C(M.S, binary.plus) << A + B
C(binary.plus) << A + B
C(M.S, replace) << A * B
C(M.S) << A.apply("abs")
C(M.S, replace) << A.apply("abs")
C(M.S, binary.plus) << A.apply("abs")
C(M.S, replace) << A.select(">", 0.5)
C(M.S, replace) << A.T
C(M.S) << 1
C(~M.S) << M2
C(M.S, replace) << 1
C(A.S, replace) << 1
C(M.S, binary.plus) << 1
C(M.V)[:, :] << 1
C[0, 0] = 2
C[1, 2] << 2
C(binary.plus)[0, 0] << 2
C[0, :] = 2
C[0, :] << u
C[:, 0] << u
C[0, :](q.S) << u
C(binary.plus)[0, :] << u
C[J, J] = 2
C[J, J] << P
C(binary.plus)[J, J] << P
C[:5, :5] << P5
P << A[J, J]
P5 << A[:5, :5]
y = A[J, J].new()
y = A[:5, :].new()
y = A[J, :].new()
y = A[:, J].new()
C << A @ B
C << A @ B.T
C << A.T @ B
C << A.mxm(B)
C << semiring.min_plus(A @ B)
C << semiring.plus_pair(A @ B)
Ci << semiring.plus_pair(A_int @ B)
C << A_int @ B
Cb << semiring.any_pair(M @ A)
C(M.S) << A @ B
C(M.S, replace) << A @ B
C(M.V, replace) << A @ B
C(~M.S, replace) << A @ B
C(A.S, replace) << semiring.plus_pair(A @ A)
C(A.S, replace) << semiring.plus_pair(A @ A.T)
C(binary.plus) << A @ B
C(binary.min) << semiring.min_plus(A @ B)
C(M.S, binary.plus) << A @ B
C(M.S, binary.plus, replace) << A @ B
y = A.T.new()
y = (A + B).new()
y = (A @ B).new()
y = (u @ A).new()
y = (u + v).new()
y = (u + v).new(dtype="INT64")
y = u.apply("abs").new(mask=q.S)
y = A.apply("abs").new(mask=M.S)
y = (A @ B).new(mask=M.S)
y = (u @ A).new(mask=q.S)
y = u.dup()
y = u.dup("INT64")
y = u.dup(clear=True)
y = u.dup(mask=q.S)
y = A.dup()
y = A.dup("INT64")
y = A.dup(clear=True)
y = A.dup(mask=M.S)
y = q.S.new()
y = (~q.S).new()
y = q.V.new()
y = M.S.new()
y = M.V.new()
y = q.S & q2.S
y = q.S | q2.S
y = M.S & M2.S
y = Vector("FP64", n)
y = Vector(float, size=n)
y = Matrix("FP64", n, n)
y = Matrix(float, nrows=n, ncols=n)
y = Scalar("FP64")
y = Scalar.from_value(3.5)
y = Vector.from_coo(ids, vals)
y = Vector.from_coo(ids, vals, size=n)
y = Vector.from_coo(ids, 1, size=n)
y = Vector.from_coo(list_ids, list_vals, size=n)
y = Vector.from_coo(ids, vals, size=n, dup_op=binary.plus)
y = Vector.from_dense(dense)
y = Vector.from_dense(dense, missing_value=0)
y = Vector.from_scalar(1, n)
y = Vector.from_dict(table)
y = Vector.from_pairs(pairs)
y = Matrix.from_coo(rows, cols, mvals)
y = Matrix.from_coo(rows, cols, mvals, nrows=n, ncols=n)
y = Matrix.from_coo(rows, cols, 1, nrows=n, ncols=n)
y = Matrix.from_coo(rows, cols, mvals, nrows=n, ncols=n, dup_op=binary.plus)
y = Matrix.from_csr(indptr, csr_cols, csr_vals, ncols=n)
y = Matrix.from_dense(dense2)
y = Matrix.from_dense(dense2, missing_value=0)
y = Matrix.from_scalar(1, n, n)
y = Matrix.from_edgelist(edges)
y = u.to_coo()
y = u.to_coo(values=False)
y = u.to_coo(indices=False)
y = u.to_dense(fill_value=0)
y = f.to_dense()
y = u.to_dict()
y = A.to_coo()
y = A.to_coo(values=False)
y = A.to_csr()
y = A.to_csc()
y = A.to_dense(fill_value=0) if n < 1000 else None
y = A.to_edgelist()
y = u.nvals
y = u.size
y = u.shape
y = u.dtype
y = u.name
y = A.nvals
y = A.nrows
y = A.shape
y = A.T
y = u.S
y = ~u.S
y = u.ss.is_iso
y = A.ss.is_iso
y = one.ss.is_iso
y = u.ss.iso_value if u.ss.is_iso else None
y = one.ss.iso_value
y = u.ss.nbytes
y = list(u)
y = list(A)
y = list(u.ss.iterkeys())
y = list(u.ss.itervalues())
y = list(u.ss.iteritems())
y = list(A.ss.iteritems())
y = next(iter(u))
y = len(u.to_coo()[0])
y = u.isequal(v)
y = u.isequal(u2)
y = u.isclose(u2)
y = A.isequal(B)
y = A.isequal(A2)
y = A.isclose(A2)
y = u.isequal(u2, check_dtype=True)
y = A.diag()
y = u.diag()
y = u.reposition(1).new()
y = A.reposition(1, 1).new()
y = A.kronecker(P5).new() if n < 1000 else None
w[3] = 1; del w[3]
w[:5] = 1; del w[:5]
w[J] = 1; del w[J]
C[0, 0] = 1; del C[0, 0]
C[0, :] = 1; del C[0, :]
w << u; w.clear()
C << A; C.clear()
y = u.dup(); y.resize(n + 5)
y = A.dup(); y.resize(n + 5, n)
C << A; C.setdiag(1)
C << A; C.setdiag(u)
C.setdiag(dense[:n])
C.setdiag(1, accum=binary.plus)
w += u
w -= u
w *= v
C += A
C *= B
wb |= q
f2 @= A
x << s
y = s + 1
y = (s + 1).new()
y = (s * s2).new()
y = s.value
y = s.is_empty
y = s == 3.5
y = float(s)
y = bool(s)
y = s.dup()
y = s.isequal(s2)
x << 3
x.value = 3
x.clear()
y = u.inner(v).new()
y = u.outer(v).new() if n < 1000 else None
y = u.ewise_add(v).new()
y = u.ewise_mult(v, binary.plus).new()
y = u.ewise_union(v, binary.plus, 0, 0).new()
w << u.ewise_add(v, monoid.max)
w << u.ewise_mult(v, "times")
C << A.ewise_add(B, monoid.max)
C << A.ewise_mult(u, "times")
C << binary.times(A & u)
C << A * u
y = u.apply(unary.exp).new().reduce().new().value
C << A.power(2)
y = u.ss.export(format="sparse")
y = A.ss.export()
y = repr(s)
y = u.wait()
y = select.value(u > 0.5).new()
y = unary.abs(u).new()
y = monoid.plus(u | v).new()
y = binary.plus(u, 1).new()
y = op.plus(u | v).new()
w << op.min_plus(u @ A)
q3 << semiring.any_pair(q3 @ A)
w << u.vxm(A, "min_plus")
w(mask=q.S, accum="plus", replace=True) << u
w(q) << u
w(accum=binary.plus, mask=~q.S) << u + v
w.update(u)
w << unary.ainv(u @ A)
w << (u @ A) + v
w << u + (A @ v)
w << (u + v) * v
w << (u * v) @ A
w << f + f
w << f * 0.85
f2 << f + 1
f2 << f
f2 << f2 * 2
"""
