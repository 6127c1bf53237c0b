"""GraKeL's Gram matrices; see peers.py for the protocol."""


def contestants(work):
    """The contestants by name, on the base class of peers.py."""

    class GraKeL(work):
        """GraKeL: fit_transform of the kernel that mercer's expression names, not normalised.

        The graphs are made outside of the clock, but fit_transform takes them apart inside:
        GraKeL keeps no form of its own that could be given to it."""

        needs = ("grakel",)

        def load(self):
            import grakel
            from grakel.kernels import RandomWalk, ShortestPath, VertexHistogram, WeisfeilerLehman

            nodes, edges = self.read("nodes").astype(int), self.read("edges").astype(int)
            count = nodes[-1, 0] + 1
            labels, pairs = [{} for _ in range(count)], [{} for _ in range(count)]
            for v, (g, label) in enumerate(nodes):
                labels[g][v] = int(label)
            for u, v in edges:
                pairs[nodes[u, 0]][(u, v)] = pairs[nodes[u, 0]][(v, u)] = 1.0
            self.graphs = [grakel.Graph(p, node_labels=l) for p, l in zip(pairs, labels)]
            self.make = {
                "wl(h=5)": lambda: WeisfeilerLehman(n_iter=5, base_graph_kernel=VertexHistogram),
                "sp": lambda: ShortestPath(with_labels=True),
                'randomwalk(lambda=0.005, label="none")': lambda: RandomWalk(lamda=0.005),
            }[self.params["graphs"]]

        def run(self):
            self.out = self.make().fit_transform(self.graphs)

    return {"GraKeL": GraKeL}
